# Serves an engine from a folder: docker run -p 4000:4000 -v twinbase:/data twinbase
FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /app
# From the registry; in a checkout: npm pack, and --build-arg PACKAGE=./twinbase-0.1.0.tgz
ARG PACKAGE=twinbase
COPY package.json twinbase-*.tg[z] ./
RUN rm package.json && npm init -y > /dev/null && npm install --no-audit --no-fund "$PACKAGE" && npm cache clean --force \
  && mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4000/openapi.json').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/twinbase/dist/cli.js", "serve", "--host", "0.0.0.0", "--data", "/data"]
