export const overview = {
  title: "Overview",
  figures: {
    connections: "Connections",
    refused: "Sign-in ended",
    forbidden: "Rights missing",
    waiting: "Reads that run or wait",
  },
  problems: "What needs somebody",
  more: "more",
  welcome: {
    title: "Nothing of yours is connected yet",
    makeClient: "Make a client",
    orTake: "for your application, or take the one that is there.",
    trySandbox: "Try the sandbox",
    orAsk: "here, or by the requests of the",
    quickstart: "quickstart",
  },
} as const;

export const freshness = {
  title: "How old what is stored is",
  median: "Half is younger than",
  p95: "95 of 100 are younger than",
  of: "Stored lists",
  ofAll: "of all connections",
  ofRandom: "of N connections, chosen at random",
  ofNewest: "of the N newest connections",
} as const;
