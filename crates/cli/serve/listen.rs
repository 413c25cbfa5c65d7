//! Connections: how many, how patient the server is with each, and how it ends.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::app::App;
use super::routes;

/// Connections at a time; others wait until one is closed.
const MOST_CONNECTIONS: usize = 512;
/// A client that has not finished the head of its request by then, or has taken nothing of its answer for so long, is hung up on.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of the head of a request; the longest address, and headers.
const LARGEST_HEAD: usize = 64 << 10;
/// When the server ends, answers under way have so long.
const FAREWELL: Duration = Duration::from_secs(2);

pub(super) async fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Serves until the program is told to end.
pub(super) async fn serve(listener: TcpListener, app: Arc<App>) {
    let router = routes::router(Arc::clone(&app));
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut end = std::pin::pin!(told_to_end());
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&connections).acquire_owned().await else { break };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            // No files left, or a client that went away at once: neither is a reason to end.
            Err(_) => {
                sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let connection = graceful.watch(connection(stream, router.clone()));
        tokio::spawn(async move {
            // Whatever ended it, the client is gone.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    app.desk.close();
    let _ = timeout(FAREWELL, graceful.shutdown()).await;
}

type Connection = http1::Connection<TokioIo<Pin<Box<TimeoutStream<TcpStream>>>>, TowerToHyperService<axum::Router>>;

fn connection(stream: TcpStream, router: axum::Router) -> Connection {
    // Answers are small; waiting for more of one would only delay it.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router))
}

/// Ctrl-C, or the signal by which services are ended.
async fn told_to_end() {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => {
            if interrupted.is_err() {
                std::future::pending::<()>().await;
            }
        }
        () = terminated => {}
    }
}
