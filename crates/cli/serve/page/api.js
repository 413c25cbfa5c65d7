// Questions to the server.

/** What the server refuses, with its reason. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Parameters as text, as readable as an address can be. */
export function query(params) {
  const parts = [];
  for (const [name, value] of Object.entries(params)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '') {
        const text = encodeURIComponent(one).replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%3B', ';').replaceAll('%20', '+');
        parts.push(`${name}=${text}`);
      }
    }
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

/** The document at an address of the interface. */
export async function ask(path, params = {}, signal = undefined) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}${query(params)}`, { signal, headers: { accept: 'application/json' } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refused(0, 'The server does not answer; has it been stopped?');
  }
  const body = await response.json();
  if (!response.ok) throw new Refused(response.status, body.message);
  return body;
}

/** Whether an error only says that nobody waits for the answer any more. */
export const wasAborted = (error) => error.name === 'AbortError';
