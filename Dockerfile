# One image for web server, worker and sweeper; docker-compose.yml says which is which.

FROM node:24-slim AS pages
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/ ./
RUN npm run build

FROM python:3.11-slim AS packages
COPY requirements/core.txt /build/core.txt
RUN python -m venv /opt/venv \
 && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r /build/core.txt
# Names of extras with a lock of their own, such as "anthropic gemini parquet neural".
ARG EXTRAS=""
# What `make neural` takes, too: torch for the processor alone where pip finds it, or what TORCH names.
ARG TORCH_VERSION=2.13.0
ARG TORCH=""
ARG PIP_EXTRA_INDEX_URL=""
COPY requirements/ /build/requirements/
COPY tools/install-torch /build/
RUN for extra in $EXTRAS; do \
      /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --require-hashes \
        -r "/build/requirements/$extra.txt" || exit 1; \
      if [ "$extra" = neural ]; then \
        /build/install-torch /opt/venv/bin/python "$TORCH_VERSION" $TORCH || exit 1; \
      fi; \
    done
COPY --from=pages /build/frontend/dist /build/dist
RUN /opt/venv/bin/python -m whitenoise.compress --quiet /build/dist/assets

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home assay \
 && install -d -o assay -g assay /data
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ASSAY_DATA=/data
WORKDIR /app
COPY --from=packages /opt/venv /opt/venv
COPY manage.py LICENSE ./
COPY analysis/ analysis/
COPY annotation/ annotation/
COPY assay/ assay/
COPY common/ common/
COPY config/ config/
COPY judges/ judges/
COPY commands/ commands/
# The pages show it as help.
COPY docs/*.md docs/
COPY docs/images/*.png docs/images/
# Served as /api/schema, and as a page under /api/docs.
COPY frontend/src/api/schema.json frontend/src/api/
COPY --from=packages /build/dist frontend/dist/
# Nothing is written at run time: without it every start, and every health check, would compile our modules.
RUN python -m compileall -q .
USER assay
VOLUME /data
EXPOSE 8000
# The forwarding proxy, or the port that compose publishes, is the only thing in front of it.
CMD ["python", "manage.py", "serve_web", "--host", "0.0.0.0"]
