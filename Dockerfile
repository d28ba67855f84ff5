FROM node:24-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY esbuild.config.mjs browser-assets.mjs tsconfig.json tsconfig.build.json ./
COPY src src
COPY scenarios scenarios
RUN npm run build

# The bundle holds all it needs: no node_modules, no package manager at run time.
FROM node:24-alpine
WORKDIR /app
COPY --from=build /app/dist dist
# It says that .js files are ES modules.
COPY --from=build /app/package.json ./
ENV PLAYMONEY_HOST=0.0.0.0 PORT=4010
USER node
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PLAYMONEY_PORT || process.env.PORT || 4010}/_sandbox/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
