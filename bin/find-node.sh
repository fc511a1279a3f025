# Read by the programs of this folder. Sets `root` and `node`, or says what is missing and ends.

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
  node=$(command -v node) || refuse "It needs Node 22.18 or newer, and there is none on this machine."
  "$node" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b > 17) ? 0 : 1)' ||
    refuse "It needs Node 22.18 or newer, and this is $("$node" --version). On Linux \`npm ci\` without --omit=optional brings its own."
fi
