/** Why a column decides nothing that somebody could gain by. Every other column is attacked. */
const reasons = {
  told: "is shown, logged or counted, and decides nothing",
  due: "makes work run earlier, later or never; what the work does comes from elsewhere",
  settled: "ends work or begins it again; what it gives is checked as before",
  share:
    "counts the places, requests or attempts of somebody: who writes can have more of them than others",
  refused: "the role of the service cannot change it, or it is under a MAC that a start checks",
  destroyed: "opens under its own owner and place alone: another value is an error",
  bound: "the row is found by it, and proved by its MAC or seal under what it says",
  compared: "a digest that only tells whether something has changed",
} as const;

type Reason = keyof typeof reasons;

const byTable: Record<string, Partial<Record<Reason, string>>> = {
  audit_entries: { refused: "id at action client_id token_id connection_id detail nonce mac" },
  audit_head: { refused: "is_only position chain linked_at signed_from mac" },
  audit_keys: { refused: "id key_id wrapped_key" },
  audit_links: { refused: "position entry_id chain" },
  authorization_codes: { due: "expires_at" },
  binding_moments: { refused: "table_name kind xid at mac" },
  client_logos: { told: "client_id" },
  client_secrets: { destroyed: "key_id", bound: "client_id is_bound" },
  clients: { told: "created_at updated_at", share: "requests_per_5_minutes" },
  connect_flows: {
    told: "locale created_at finished_at",
    due: "due_at lease_until run",
    settled: "step refused_attempts refusal emptied_at",
    share: "network_key origin_key opener_key opener_site_key opener_site_number",
    destroyed: "key_id",
  },
  connection_labels: { bound: "reference_digest" },
  connections: {
    told: "created_at signed_in_at auth_failed_at",
    due: "refresh_until",
    settled: "sign_in_count session_version auth_failure unsupported rights",
    share: "origin_key",
    destroyed: "key_id",
  },
  console_counts: { told: "client_id seconds at what provider outcome times" },
  console_links: { told: "created_at" },
  console_looks: { due: "is_only looked_at" },
  console_minutes: { told: "id at what provider outcome times" },
  console_problems: {
    told: "id key seen_by kind client_id token_id provider mode resource detail times since found_at ended_at",
  },
  console_used_sign_ins: { settled: "digest expires_at" },
  deliveries: {
    told: "added removed updated last_status last_error created_at settled_at sealed_last_reply leaves_earlier_lists event_type traceparent",
    due: "due_at lease_until run schedule_step is_requested position",
    settled: "is_acknowledged",
    share: "origin_key is_slow",
  },
  delivery_attempts: { told: "delivery_id number at duration_ms status reason" },
  event_endpoints: {
    due: "has_changed failing_since failure_counts_until generation polled cleared_at resumed_to",
    share: "origin_key is_slow",
    settled: "was_cleared status",
  },
  event_head: { due: "is_only position" },
  events: { told: "number provider mode type data created_at position" },
  known_sources: { share: "digest forget_at" },
  master_keys: {
    told: "added_at",
    settled: "retired_at activated_at",
    destroyed: "id canary kept_under kept_account_key",
  },
  migrations: { refused: "id name run_on program_version starts_from" },
  polled_lists: {
    due: "version has_suspected parameters",
    bound: "connection_id resource",
    destroyed: "sealed_list",
  },
  polls: {
    told: "provider outcome polled_at",
    due: "poll_offset is_readable next_poll_at slot run enqueued_at covers_employees",
  },
  provider_states: { told: "provider mode client_id is_degraded" },
  quota_counts: { share: "key window_seconds slot requests small" },
  quota_pauses: { share: "key until refusals" },
  quota_places: { share: "id key until" },
  quota_waits: { share: "id key is_small passed until" },
  read_durations: { told: "provider mode resource mean_ms" },
  reads: {
    told: "requests started_at provider_requests pages records bytes progress_at requested_at traceparent refused_fields",
    due: "due_at lease_until run tries waits deaths priority retry_since",
    settled: "outcome settled_at kept_until kept_basis kept_pages is_awaited",
    share: "client_id provider mode origin_key",
  },
  receiver_states: {
    settled: "has_pending_changes suspected_missing unconfirmed tombstones limited",
  },
  running_processes: {
    told: "id role key_ids active_key seen_at signs_audit version started_at schedules clock_ahead_seconds",
  },
  sign_in_hours: { share: "digest attempts told_at forget_at" },
  sign_in_throttle: { share: "digest refusals next_attempt_at forget_at" },
  snapshots: {
    told: "filled",
    compared: "source_mac made_by",
    due: "fetched_at full_read_at",
    settled: "is_steady limited body_bytes",
  },
  tokens: { told: "created_at", bound: "ended_entry" },
  webhook_endpoints: {
    due: "has_changed failing_since failure_counts_until generation cleans_due cleaned_to uncleaned resumed_to",
    share: "origin_key is_slow",
    settled: "was_cleared status",
  },
};

/** By `table.column`. */
export const harmlessColumns: Record<string, string> = Object.fromEntries(
  Object.entries(byTable).flatMap(([table, named]) =>
    Object.entries(named).flatMap(([reason, columns]) =>
      columns.split(" ").map((column) => [`${table}.${column}`, reasons[reason as Reason]]),
    ),
  ),
);

/** Those that decide, and are written by the attacks. */
export const attackedColumns: readonly string[] = Object.entries({
  authorization_codes:
    "digest client_id token_id redirect_uri code_challenge redeemed_at grant_mac terms_mac",
  client_logos: "digest png",
  client_secrets: "position sealed digest",
  clients:
    "client_id name redirect_uris webhook_uri event_uri event_types poll_resources require_pkce is_shared_sandbox " +
    "revision purpose privacy_url support_url logo_digest brand_color allow_sandbox fields_off ended_at " +
    "emptied_at row_mac",
  connect_flows:
    "id client_id token_id link_digest browser_digest mode scopes redirect_uri code_challenge tags is_sandbox provider " +
    "is_provider_fixed wrapped_key sealed_state phase sealed_submission sealed_prefill sealed_challenge sealed_sign_in " +
    "sealed_redirect expires_at purpose sealed_account sealed_terms sealed_handover",
  connection_labels: "connection_id client_id sealed_label",
  connections:
    "id client_id token_id provider mode scopes wrapped_key sealed_session sealed_identity claimed_at expires_at " +
    "sealed_settings sealed_previous_session account_digest sealed_account",
  console_links: "digest name expires_at mac",
  console_sessions: "digest client_id name secrets_mac created_at expires_at mac",
  deliveries:
    "id connection_id client_id token_id subject status sealed_body list_after sealed_public_reply",
  event_endpoints: "client_id",
  events: "id client_id connection_id token_id",
  issued_payruns: "connection_id id sealed_remote_id",
  polls: "connection_id client_id token_id state",
  read_parts: "read_id part sealed_records",
  reads: "id connection_id resource parameters state sealed_cursor",
  receiver_states:
    "connection_id client_id token_id version current acknowledged earlier_lists sealed_list sealed_index " +
    "sealed_tombstones",
  snapshots:
    "connection_id resource parameters version sealed_body sealed_index fingerprints sealed_since",
  tokens:
    "id client_id digest provider mode scopes disconnected_at code_digest grant_mac digest_mac",
  webhook_endpoints: "client_id",
}).flatMap(([table, columns]) => columns.split(" ").map((column) => `${table}.${column}`));
