interface Host {
  requests: number;
  /** Made when somebody asks for it: most requests find an open socket, and need no look-up. */
  allEnded: AbortController | undefined;
}

/** The open requests of each host, so that what is done for a host can end with them. */
export class OpenRequests {
  readonly #hosts = new Map<string, Host>();

  /** Returns the function that ends the request. Further calls of it have no effect. */
  begin(hostname: string): () => void {
    const host = this.#hosts.get(hostname) ?? { requests: 0, allEnded: undefined };
    this.#hosts.set(hostname, host);
    host.requests += 1;
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      host.requests -= 1;
      if (host.requests > 0) return;
      this.#hosts.delete(hostname);
      host.allEnded?.abort(new Error("No request needs this host any more."));
    };
  }

  /** Aborts when the host has no open request any more; at once when it has none. */
  signal(hostname: string): AbortSignal {
    const host = this.#hosts.get(hostname);
    if (!host) return AbortSignal.abort();
    host.allEnded ??= new AbortController();
    return host.allEnded.signal;
  }
}
