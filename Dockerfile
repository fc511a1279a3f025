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
# Compiled modules are part of the image, because its root file system is read-only at run time: a start takes a little
# more than half of the processor's time. The first two programs end here for want of a configuration. The third is that
# of a child process for adapters, which ends for want of a parent; a cache is for its flags. A cache is for one account.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/rollcall
RUN install -d -o node "$NODE_COMPILE_CACHE" \
  && { setpriv --reuid=node --regid=node --clear-groups sh -c 'rollcall client list; node src/main.ts; \
    node --permission --allow-fs-read=/app --allow-fs-write="$NODE_COMPILE_CACHE" --allow-worker --expose-gc \
      --enable-experimental-regexp-engine-on-excessive-backtracks src/reading/child/entry.ts' 2>/dev/null; \
    cd node_modules && chown -R root:root .cache && chmod -R a+rX .cache && test -n "$(ls "$NODE_COMPILE_CACHE")"; }
# What the labels and the metric rollcall_build_info say:
# `docker build --build-arg REVISION=$(git rev-parse HEAD) --build-arg CREATED=$(date -u +%FT%TZ) -t rollcall .`
ARG REVISION="" CREATED=""
RUN printf '%s' "$REVISION" > REVISION
LABEL org.opencontainers.image.title="Rollcall" \
  org.opencontainers.image.description="One HTTP API for employee and payroll data from HR and payroll systems" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.created="$CREATED"
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["bin/healthy"]
CMD ["bin/start"]
