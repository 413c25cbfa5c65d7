//! What the system and the processor can be told about memory that is read in no order.

/// Asks for pages of 2 MiB for memory that was not touched yet. It is advice: a system that does not take it loses
/// nothing but time.
#[cfg(target_os = "linux")]
pub fn advise_huge_pages<T>(memory: &mut [T]) {
    const HUGE: usize = 2 << 20;
    let bytes = size_of_val(memory);
    let start: *mut u8 = memory.as_mut_ptr().cast();
    let skipped = start.align_offset(HUGE);
    let len = bytes.saturating_sub(skipped) / HUGE * HUGE;
    if len > 0 {
        // SAFETY: `skipped + len <= bytes`, so the range is whole pages within the slice, and the advice changes neither the bytes
        // nor what may be done with them.
        let _ = unsafe { rustix::mm::madvise(start.add(skipped).cast(), len, rustix::mm::Advice::LinuxHugepage) };
    }
}

/// Asks for pages of 2 MiB, which this system does not have.
#[cfg(not(target_os = "linux"))]
pub fn advise_huge_pages<T>(_: &mut [T]) {}

/// Has the processor fetch what will be read soon, without waiting for it.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program could see and cannot fault.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
