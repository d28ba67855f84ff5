# The program is the same for every platform, so it is built on that of the builder: nothing is emulated.
FROM --platform=$BUILDPLATFORM node:24-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY build build
COPY src src
COPY docs/openapi.json docs/
COPY scenarios scenarios
RUN node build/build.mjs

# The bundle holds all it needs: no node_modules, no package manager at run time. Nothing is written beside what
# --state, --tls-dir and --journal name, so the root file system may be read-only.
FROM node:24-alpine
WORKDIR /app
COPY --from=build /app/dist dist
# It says that .js files are ES modules.
COPY --from=build /app/package.json ./
ENV PLAYMONEY_HOST=0.0.0.0 PORT=4010
USER node
EXPOSE 4010
# Looks where process 1 listens by its words and environment, over HTTP or HTTPS.
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
  CMD ["node", "/app/dist/cli.js", "health"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
