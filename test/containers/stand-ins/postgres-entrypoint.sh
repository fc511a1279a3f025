#!/bin/sh
# What the official image does at its first start: a cluster with POSTGRES_USER, POSTGRES_PASSWORD and POSTGRES_DB,
# which takes passwords from everywhere but its own socket.
set -eu
if [ -n "${POSTGRES_PASSWORD_FILE-}" ]; then POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE"); fi
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  password_file=$(mktemp)
  printf '%s\n' "${POSTGRES_PASSWORD:?}" >"$password_file"
  initdb --username="$user" --pwfile="$password_file" --auth-local=trust --auth-host=scram-sha-256
  rm "$password_file"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait start -o "-c listen_addresses=''"
  if [ "$database" != postgres ]; then createdb --username="$user" "$database"; fi
  for script in /docker-entrypoint-initdb.d/*; do
    case $script in
      *.sql) psql -v ON_ERROR_STOP=1 --username="$user" --dbname="$database" -f "$script" ;;
      *.sh) sh "$script" ;;
    esac
  done
  pg_ctl --wait stop
fi
unset POSTGRES_PASSWORD
exec "$@" -c listen_addresses='*'
