# Cranfield with the report and the embedded search engines. In a clone:
#   docker build -t cranfield .
#   docker run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" cranfield evaluate qrels.txt run.txt
FROM python:3.13-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/cranfield
WORKDIR /source
# Before the sources, so that a change of these leaves the layer as it is.
COPY requirements/demo.txt requirements/
RUN /opt/cranfield/bin/pip install --require-hashes -r requirements/demo.txt
COPY pyproject.toml LICENSE ./
COPY src src
RUN /opt/cranfield/bin/pip install --no-deps --no-build-isolation .

FROM python:3.13-slim
COPY --from=build /opt/cranfield /opt/cranfield
# A home that any user may write to, as `docker run --user` may name one that nobody knows.
ENV PATH=/opt/cranfield/bin:$PATH HOME=/tmp
RUN useradd --no-create-home --uid 1000 cranfield && install --directory --owner cranfield /work
USER cranfield
WORKDIR /work
ENTRYPOINT ["cranfield"]
CMD ["--help"]
