//! Mutexes whose data is whole at any time.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, even after a panic of another holder, which that thread reports itself.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
