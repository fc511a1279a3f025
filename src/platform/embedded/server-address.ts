/** Where the server listens: in a folder with a Unix socket, or on 127.0.0.1. */
export interface ServerAddress {
  /** The path of the folder, or the IP address. */
  host: string;
  /** Of a Unix socket it is a part of the name. */
  port: number;
}

export function isSocketFolder(host: string): boolean {
  return host.startsWith("/");
}

/** The name that Postgres gives to its socket. */
export function socketName(port: number): string {
  return `.s.PGSQL.${port}`;
}
