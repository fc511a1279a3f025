import { createServer, type RequestListener, type Server } from "node:http";

/** Enough for a sign-in link with a `state` of 4,096 characters of three percent-encoded bytes each. */
export const maxUrlLength = 40_960;
const maxHeaderBytes = maxUrlLength + 8_192;
const receiveTimeoutMs = 10_000;
/** Longer than proxies keep a socket for their next request, so that none is sent to one that ends. */
const keepAliveMs = 72_000;

/** How long and how large a request may be while it arrives, as the server of Node has to know it. */
export const serverLimits = {
  requestTimeout: receiveTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  http: {
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  },
};

/** For who listens before there is an app. */
export function createLimitedServer(answer: RequestListener): Server {
  const { http, ...timeouts } = serverLimits;
  return Object.assign(createServer(http, answer), timeouts);
}
