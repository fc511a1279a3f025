# The service, for ROLE=api, worker or all. Postgres and Redis are elsewhere: see docker-compose.yml.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The image brings Node and Postgres is not embedded here, so the optional packages with both stay out.
RUN npm ci --omit=dev --omit=optional

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PATH=/app/bin:$PATH
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY CHANGELOG.md SECURITY.md ./
COPY bin bin
COPY docs docs
COPY migrations migrations
COPY src src
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
