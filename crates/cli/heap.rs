//! What is freed goes back to the system.
//!
//! Tables of a search grow by being replaced with larger ones, and a table is built with buffers that are freed in the end. The GNU C library
//! keeps what is freed for later, and the more the larger it was, so that a program takes far more than it has allocated: Dakon 10x3 with
//! `--memory 190MB --table-seeds 11 --threads 4` took 314 million bytes.

/// From this size on an allocation is mapped by itself, and unmapped when it is freed. Once it is set the library no longer raises it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MAPPED_FROM: libc::c_int = 1 << 20;

/// Has large allocations given back; elsewhere they are as the system's library has it.
pub(crate) fn set_up() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and only changes how later allocations are made; no other thread runs yet.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_FROM);
    }
}
