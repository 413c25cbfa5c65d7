//! Mapped files that lose pages.
//!
//! Look-ups in tables map files into memory, and so do large builds and graphs with files of their own. If a program shortens such a file, or
//! the disk fails, whoever touches what is gone gets a signal (SIGBUS), and by default that ends a program without a word. Here it ends
//! with a line and the exit code of bad input.
//!
//! A file that grows beyond what the system allows (`ulimit -f`) is an error of the write, as on a full disk, and not a signal.

use rustix::io::write;
use rustix::stdio::stderr;
use signal_hook::consts::SIGBUS;
use signal_hook::low_level::{exit, register};

use crate::exit::Failure;

const LINE: &[u8] =
    b"lumbung: a file that was being looked up in (of a table, or a temporary one) became shorter or cannot be read any more\n";

/// From now on lost pages are told, and files that may not grow are.
pub(crate) fn listen() -> Result<(), Failure> {
    // What listened before would be called first. The standard library does, for stack overflows: at any other address it gives the
    // signal its default action back and leaves, and a second thread that touches the same page would end the program without the line.
    // On Linux a stack overflow is another signal (SIGSEGV), which stays as it is.
    //
    // SAFETY: `signal` with the default action installs no code; the handler that it takes out is looked up by nobody else, and no other
    // thread runs yet that could rely on it.
    if unsafe { libc::signal(SIGBUS, libc::SIG_DFL) } == libc::SIG_ERR {
        return Err(cannot(&std::io::Error::last_os_error()));
    }
    // SAFETY: what runs in the signal handler are two calls to the system, `write` and `_exit`, which POSIX allows there; it allocates
    // nothing, takes no lock and cannot panic. Nothing is chained to it, for the action above is the default.
    let listening = unsafe {
        register(SIGBUS, || {
            // If standard error is closed, there is nobody to tell.
            let _ = write(stderr(), LINE);
            exit(2)
        })
    };
    // SAFETY: to ignore a signal installs no code.
    if unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) } == libc::SIG_ERR {
        return Err(cannot(&std::io::Error::last_os_error()));
    }
    listening.map(|_| ()).map_err(|error| cannot(&error))
}

fn cannot(error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot listen for lost pages: {error}"))
}
