# The command with what it needs to build two versions of a module: Go, git, a C compiler. docs/ci.md says how to run it.
FROM golang:1.26-bookworm AS build
WORKDIR /source
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /spectradiff ./cmd/spectradiff

FROM golang:1.26-bookworm
COPY --from=build /spectradiff /usr/local/bin/spectradiff
# The folders of the caches are there, so that volumes in their place belong to the user. Scripts may call git on a
# checkout of somebody else; the command itself does not ask git.
RUN useradd --uid 1000 --create-home user \
	&& install -d -o user -g user -m 0700 /home/user/.cache /home/user/.cache/spectradiff /home/user/go \
	&& git config --system --add safe.directory '*'
USER user
ENV GOPATH=/home/user/go
WORKDIR /repository
ENTRYPOINT ["spectradiff"]
CMD ["help"]
