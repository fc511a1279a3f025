# Read by the programs of this folder. Sets `root`, `node` and where compiled modules are kept, or says what is missing
# and ends.

refuse() {
  printf 'Rollcall could not start. %s\n' "$1" >&2
  exit 1
}

root=$(cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
[ -e "$root/node_modules/fastify/package.json" ] ||
  refuse "Its packages are not installed. Run \`npm ci\` in $root, then try again."

# The Node that npm installed, whichever Node the machine has.
node="$root/node_modules/.bin/node"
if [ ! -x "$node" ]; then
  node=$(command -v node) || refuse "It needs Node 24.20 or 26.5, or a newer one, and there is none on this machine."
  # Older ones cannot take back what the start of an adapter's process is permitted.
  "$node" -e 'const [a, b] = process.versions.node.split("."); process.exit((a == 24 && b > 19) || (a == 26 && b > 4) || a > 26 ? 0 : 1)' ||
    refuse "It needs Node 24.20 or 26.5, or a newer one, and this is $("$node" --version). On Linux \`npm ci\` without --omit=optional brings its own."
fi

# Compiled modules are kept, which halves the time to start; a folder that cannot be written is done without.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE-$root/node_modules/.cache/rollcall}"
