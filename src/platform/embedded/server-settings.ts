import { socketPort } from "./socket-folder.ts";

const smallMachine = {
  max_connections: "100",
  shared_buffers: "64MB",
  maintenance_work_mem: "32MB",
  effective_cache_size: "512MB",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_logical_replication_workers: "0",
  min_wal_size: "32MB",
  max_wal_size: "256MB",
  io_method: "sync",
  huge_pages: "off",
  jit: "off",
  // Parallel queries need more space in /dev/shm than a container usually has.
  max_parallel_workers_per_gather: "0",
  timezone: "UTC",
};

/**
 * No log may hold personal data, and the text of an ordinary error quotes a value ("invalid input syntax
 * for type date: ..."). The level `log` leaves errors out and keeps starts, stops and crashes.
 */
const logging = {
  log_destination: "stderr",
  logging_collector: "off",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_statement: "none",
  log_min_duration_statement: "-1",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
  log_checkpoints: "off",
  log_autovacuum_min_duration: "-1",
  log_line_prefix: "%m [%p] ",
  log_timezone: "UTC",
};

/**
 * Many tests share one server, so it serves more clients. It does not protect against a power cut; a
 * commit still survives a kill -9 of any process.
 */
const forTests = { fsync: "off", full_page_writes: "off", max_connections: "400" };

/** No port is open. */
export function serverSettings(options: {
  socketFolder: string;
  isDurable: boolean;
}): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
    port: String(socketPort),
    ...smallMachine,
    ...logging,
    ...(!options.isDurable && forTests),
  };
}
