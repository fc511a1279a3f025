/** The configuration of a route behind a credential, whose reply is for its caller alone. */
export const gatedRoute = {
  rateLimitClass: "gated",
  description: {
    replyHeaders: { 200: ["Cache-Control"], 201: ["Cache-Control"], 202: ["Cache-Control"] },
  },
} as const;
