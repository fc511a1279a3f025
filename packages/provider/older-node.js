// What the code uses of newer versions of Node, for Node 20. It is loaded before everything else.
import workers from "node:worker_threads";
import zlib from "node:zlib";

Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};
Promise.try ??= async (act, ...given) => await act(...given);
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
Array.fromAsync ??= async (items) => {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
};
Set.prototype.difference ??= function (other) {
  return new Set([...this].filter((item) => !other.has(item)));
};
addIteratorMethods();
// undici calls it for things that this program makes none of.
workers.markAsUncloneable ??= () => {};
// undici names it when it is loaded. It unpacks only answers that somebody has asked for, which this program does not.
zlib.createZstdDecompress ??= () => {
  throw new Error("this version of Node cannot unpack zstd");
};

function addIteratorMethods() {
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  const add = (name, value) => {
    if (!(name in iterators))
      Object.defineProperty(iterators, name, { value, configurable: true, writable: true });
  };
  globalThis.Iterator ??= { from: (items) => items[Symbol.iterator]() };
  for (const name of ["map", "filter", "flatMap"]) add(name, iteratorBy(name));
  for (const name of ["reduce", "forEach", "some", "every", "find"]) add(name, resultBy(name));
  add("take", function (count) {
    return [...this].slice(0, count)[Symbol.iterator]();
  });
  add("drop", function (count) {
    return [...this].slice(count)[Symbol.iterator]();
  });
  add("toArray", function () {
    return [...this];
  });
}

function iteratorBy(name) {
  return function (...given) {
    return [...this][name](...given)[Symbol.iterator]();
  };
}

function resultBy(name) {
  return function (...given) {
    return [...this][name](...given);
  };
}
