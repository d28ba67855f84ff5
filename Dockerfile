# An exact version, so that the same commit gives the same image. Dependabot updates both lines.
# The program is the same on every platform, so it is built on the platform of the builder, without emulation.
FROM --platform=$BUILDPLATFORM node:24.21.0-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY build build
COPY LICENSE ./
COPY src src
COPY integrations/testcontainers integrations/testcontainers
COPY docs/openapi.json docs/
COPY scenarios scenarios
RUN node build/build.mjs

# The bundle has everything it needs: no node_modules and no package manager at run time. It writes only the files named by
# --state, --tls-dir and --journal, so the root file system can be read-only.
FROM node:24.21.0-alpine
WORKDIR /app
COPY --from=build /app/dist dist
COPY --from=build /app/scenarios scenarios
# Its own licence, those of the code that the bundle contains, and a list of that code for programs.
COPY --from=build /app/LICENSE /app/THIRD-PARTY-LICENSES /app/sbom.cdx.json ./
# package.json says that .js files are ES modules.
COPY --from=build /app/package.json ./
ENV PLAYMONEY_HOST=0.0.0.0 PORT=4010
USER node
EXPOSE 4010
# Finds port and scheme in the arguments and the environment of process 1.
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
  CMD ["node", "/app/dist/cli.js", "health"]
ENTRYPOINT ["node", "/app/dist/cli.js"]
