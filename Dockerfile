# whet in a container: docker build -t whet . && docker run --rm -v "$PWD:/work" whet verify model.whet
FROM debian:12 AS build
WORKDIR /src
COPY tools/install-dependencies tools/
RUN tools/install-dependencies build && rm -rf /var/lib/apt/lists/*
COPY . .
RUN meson setup /build --prefix=/usr && ninja -C /build installed && DESTDIR=/made meson install -C /build --no-rebuild && strip /made/usr/bin/whet

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends clang libbdd0c2 libgmp10 libgmpxx4ldbl libisl23 libjansson4 libppl-c4 libppl14 libyaml-0-2 libz3-4 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /made/usr/bin/whet /usr/bin/whet
COPY --from=build /made/usr/share/man/man1/whet.1 /usr/share/man/man1/whet.1
WORKDIR /work
ENTRYPOINT ["whet"]
CMD ["help"]
