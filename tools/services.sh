#!/bin/sh
# Installs and starts what some tests need beyond Python: a browser that opens pages, Java for Spark, PostgreSQL and
# OpenSearch, both on loopback only. `services.sh stop` stops the servers. What cannot be had here is said, and its tests
# are skipped.
# Tests find the servers through .services/environment; $CRANFIELD_TEST_POSTGRES and _OPENSEARCH name others.
set -eu
cd "$(dirname "$0")/.."
here=$PWD/.services
opensearch=$here/opensearch
PYTHON=${PYTHON:-python3}

say() { echo "$*"; }

# Debian's packages, where that is ours to do; false where it is not.
installed() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1 || return 1
  say "Installing $*."
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

browser() {
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null 2>&1 && { say "A browser for the tests of pages: $(command -v "$name")"; return; }
  done
  installed chromium || say "There is no Chromium, and no right to install it here: the tests of pages will be skipped."
}

# Spark runs on these versions of Java and no others; tests find one among several.
java_for_spark() {
  for java in "${JAVA_HOME:-}/bin/java" "$(command -v java || true)" /usr/lib/jvm/*/bin/java; do
    if "$java" -version 2>&1 | grep -qE 'version "(17|21)[".]'; then
      say "Java for the tests of Spark: $java"
      return
    fi
  done
  installed openjdk-17-jre-headless || installed openjdk-21-jre-headless ||
    say "There is no Java 17 or 21, and no right to install it here: the tests of Spark will be skipped."
}

# PostgreSQL refuses to be run by root; its folder is one that its user can reach wherever the checkout is.
as_owner() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

postgres_programs() {
  for place in "$(dirname "$(command -v pg_ctl || echo /)")" /usr/lib/postgresql/*/bin; do
    [ ! -x "$place/initdb" ] || programs=$place
  done
  [ -n "${programs:-}" ]
}

postgres_runs() {
  [ -e "$here/postgres" ] && postgres_programs &&
    (cd / && as_owner "$programs/pg_ctl" status -D "$(cat "$here/postgres")/data" >/dev/null 2>&1)
}

start_postgres() {
  if postgres_runs; then say "PostgreSQL runs."; return; fi
  postgres_programs || { installed postgresql && postgres_programs; } || { missing POSTGRES "PostgreSQL is not installed"; return; }
  folder=$(mktemp -d "${TMPDIR:-/tmp}/cranfield-postgres.XXXXXX")
  [ "$(id -u)" != 0 ] || chown postgres "$folder"
  port=$($PYTHON -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  echo "$folder" >"$here/postgres"
  options="-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories= -c fsync=off"
  if (cd / && as_owner "$programs/initdb" -D "$folder/data" -U cranfield --auth=trust --encoding=UTF8 --locale=C --no-sync &&
    as_owner "$programs/pg_ctl" start -w -D "$folder/data" -l "$folder/log" -o "$options") >"$here/postgres.log" 2>&1; then
    found POSTGRES "postgresql://cranfield@127.0.0.1:$port/postgres"
    say "PostgreSQL started on 127.0.0.1:$port."
  else
    missing POSTGRES "PostgreSQL did not start, see .services/postgres.log"
  fi
}

stop_postgres() {
  [ -e "$here/postgres" ] || return 0
  folder=$(cat "$here/postgres")
  if postgres_runs; then
    (cd / && as_owner "$programs/pg_ctl" stop -D "$folder/data" -m fast >/dev/null) && say "PostgreSQL stopped."
  fi
  case $folder in */cranfield-postgres.*) rm -rf "$folder" ;; esac
  rm -f "$here/postgres"
}

# A process may have got the number of one that ended long ago: it has to be ours.
opensearch_runs() {
  [ -e "$opensearch/pid" ] && ps -p "$(cat "$opensearch/pid")" -o args= 2>/dev/null | grep -qF "$opensearch/data"
}

opensearch_jars() {
  cmp -s tools/opensearch/pom.xml "$opensearch/jars/pom.xml" && return
  say "Fetching OpenSearch from Maven Central."
  rm -rf "$opensearch/jars"
  mvn -q -B -f tools/opensearch/pom.xml dependency:copy-dependencies -DincludeScope=runtime \
    -DoutputDirectory="$opensearch/jars" >"$opensearch/log" 2>&1 && cp tools/opensearch/pom.xml "$opensearch/jars/"
}

start_opensearch() {
  if opensearch_runs; then say "OpenSearch runs."; return; fi
  for program in javac mvn; do
    command -v $program >/dev/null 2>&1 || installed default-jdk-headless maven ||
      { missing OPENSEARCH "OpenSearch cannot run, there is no $program"; return; }
  done
  opensearch_jars || { missing OPENSEARCH "Maven did not get OpenSearch, see .services/opensearch/log"; return; }
  rm -rf "$opensearch/data"
  mkdir -p "$opensearch/data"
  nohup java -Xms128m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$opensearch/jars/*" \
    tools/opensearch/OpenSearchForTests.java "$opensearch/data" >"$opensearch/log" 2>&1 </dev/null &
  echo $! >"$opensearch/pid"
  for _ in $(seq 240); do
    [ -e "$opensearch/data/port" ] && break
    opensearch_runs || break
    sleep .5
  done
  if [ -e "$opensearch/data/port" ]; then
    port=$(cat "$opensearch/data/port")
    found OPENSEARCH "http://127.0.0.1:$port"
    say "OpenSearch started on 127.0.0.1:$port."
  else
    stop_opensearch
    missing OPENSEARCH "OpenSearch did not start, see .services/opensearch/log"
  fi
}

stop_opensearch() {
  if opensearch_runs; then
    kill "$(cat "$opensearch/pid")"
    for _ in $(seq 60); do opensearch_runs || break; sleep .5; done
    say "OpenSearch stopped."
  fi
  rm -rf "$opensearch/pid" "$opensearch/data"
}

# Lines NAME=value, one for each server: where it is, or in NAME_MISSING why it is not.
found() { note "CRANFIELD_TEST_$1" "$2"; }
missing() {
  note "CRANFIELD_TEST_$1_MISSING" "$2"
  say "$2: the tests of it will be skipped."
}
note() {
  server=${1%_MISSING}
  { grep -v "^$server[_=]" "$here/environment" 2>/dev/null || true; echo "$1=$2"; } >"$here/environment.part"
  mv "$here/environment.part" "$here/environment"
}

case ${1:-start} in
  start)
    mkdir -p "$opensearch"
    browser
    java_for_spark
    start_postgres
    start_opensearch
    ;;
  stop)
    stop_postgres
    stop_opensearch
    rm -f "$here/environment"
    ;;
  *)
    echo "tools/services.sh [start|stop]" >&2
    exit 2
    ;;
esac
