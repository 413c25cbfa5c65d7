//! Files that appear whole or not at all.
//!
//! What is written goes into a file beside the one it is for, which it replaces when it is complete and safe. Where the name is a link, what
//! it leads to is replaced; a pipe or a device is written to as it is, for it cannot be replaced.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Writes a file, whole or not at all; returns what `fill` does.
///
/// # Errors
/// Those of `fill`, and if the system cannot write the file; what was there before is untouched then, unless it is a pipe or a device.
pub fn write<T>(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let Some(target) = replaced(path)? else { return fill(&mut OpenOptions::new().write(true).open(path)?) };
    let temporary = &beside(&target);
    let written = File::create(temporary).and_then(|mut file| {
        let done = fill(&mut file)?;
        file.sync_all()?;
        fs::rename(temporary, &target)?;
        Ok(done)
    });
    match written {
        Ok(done) => {
            // The new name is safe once its directory is. Not every file system can be asked for that.
            let directory = target.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
            let _ = File::open(directory).and_then(|directory| directory.sync_all());
            Ok(done)
        }
        Err(error) => {
            // What is half written is of no use; that it could not be written is what counts.
            let _ = fs::remove_file(temporary);
            Err(error)
        }
    }
}

/// Whether a file could be written, as far as that can be told without writing it; what is there stays untouched.
///
/// # Errors
/// Why not.
pub fn try_place(path: &Path) -> io::Result<()> {
    let Some(target) = replaced(path)? else { return OpenOptions::new().write(true).open(path).map(|_| ()) };
    let temporary = beside(&target);
    File::create(&temporary)?;
    fs::remove_file(&temporary)
}

/// What is replaced when something is written there; nothing for what is written to as it is.
fn replaced(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Some),
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(led_to(path))),
        Err(error) => Err(error),
    }
}

/// The file that something is written into first.
fn beside(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".tmp");
    name.into()
}

/// Where a name leads at which there is no file yet: there, or for a link to nothing, where that points.
fn led_to(path: &Path) -> PathBuf {
    match fs::read_link(path) {
        Ok(to) => path.parent().map_or(to.clone(), |parent| parent.join(&to)),
        Err(_) => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let place = std::env::temp_dir().join(format!("lumbung-whole-file-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let path = place.join("file");
        assert_eq!(write(&path, |file| file.write(b"first")).unwrap(), 5);
        let failed = write(&path, |file| {
            file.write_all(b"half")?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert_eq!((failed.unwrap_err().to_string(), fs::read(&path).unwrap()), ("no more".to_owned(), b"first".to_vec()));
        assert!(write(&place, |_| Ok(())).is_err(), "a directory");
        #[cfg(unix)]
        {
            // A link stays one, whether there is something at its end or not.
            for (link, to) in [("to-file", "file"), ("to-nothing", "new")] {
                std::os::unix::fs::symlink(to, place.join(link)).unwrap();
                write(&place.join(link), |file| file.write_all(link.as_bytes())).unwrap();
                assert!(fs::symlink_metadata(place.join(link)).unwrap().is_symlink());
                assert_eq!(fs::read(place.join(to)).unwrap(), link.as_bytes());
            }
            let mut before: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            for name in ["file", "other"] {
                try_place(&place.join(name)).unwrap();
            }
            let mut after: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            before.sort();
            after.sort();
            assert_eq!(before, after);
            for name in [".", "no/such", "file/none"] {
                assert!(try_place(&place.join(name)).is_err(), "{name}");
            }
            // A device is written to.
            write(Path::new("/dev/null"), |file| file.write_all(b"nothing")).unwrap();
            assert!(!fs::metadata("/dev/null").unwrap().is_file());
        }
        let mut left: Vec<_> = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        fs::remove_dir_all(&place).unwrap();
        assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".tmp")), "{left:?}");
    }
}
