#!/usr/bin/env bash
# The steps of action.yml, one a call: install, prepare, compare, comment, finish.
#
# In: the variables that action.yml sets (ACTION_…), and those of the build machine (GITHUB_…, RUNNER_TEMP). Out: the
# files report.md and report.json below $RUNNER_TEMP/spectradiff, one comment on the pull request, the status of the
# comparison. What always holds: no value is read as code, a comment that cannot be written fails nothing, and the
# checkout only gets more history. Needs bash, git and Go; a comment needs gh.
set -euo pipefail

mark='<!-- spectradiff -->'
work=${RUNNER_TEMP:-/tmp}/spectradiff
folder=${ACTION_FOLDER:-.}
permission='The job needs the permission pull-requests: write; runs for Dependabot have a token that only reads'

# What is said on a line of its own stands beside the run. A value in it cannot begin another line.
escaped() {
	local text=${1//'%'/%25}
	text=${text//$'\r'/%0D}
	printf '%s' "${text//$'\n'/%0A}"
}
notice() { printf '::notice title=spectradiff::%s\n' "$(escaped "$1")"; }
warning() { printf '::warning title=spectradiff::%s\n' "$(escaped "$1")"; }
fail() {
	printf '::error title=spectradiff::%s\n' "$(escaped "$1")" >&2
	exit 2
}

# output hands a value to later steps. It is one line.
output() { printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >>"$GITHUB_OUTPUT"; }

# install puts the command on the PATH of later steps: the one of the action itself, a release, or what is there. Its
# own Go may be newer than that of the module.
install() {
	local version=${ACTION_VERSION:-} bin=$work/bin
	if [[ $version == installed ]]; then
		command -v spectradiff >/dev/null || fail 'version is "installed", and there is no spectradiff on the PATH'
		return
	fi
	command -v go >/dev/null || fail 'there is no Go: use actions/setup-go before this step'
	mkdir -p "$bin"
	if [[ -z $version ]]; then
		(cd "$ACTION_SOURCE" && GOTOOLCHAIN=auto go build -o "$bin/spectradiff" ./cmd/spectradiff)
	else
		GOTOOLCHAIN=auto GOBIN=$bin go install "github.com/spectradiff/spectradiff/cmd/spectradiff@$version"
	fi
	printf '%s\n' "$bin" >>"$GITHUB_PATH"
}

# commit prints the full name of a commit of the checkout.
commit() { git -C "$folder" rev-parse --verify --quiet --end-of-options "$1^{commit}"; }

# merge_base prints where HEAD left the branch that the pull request is for. It fetches history until it is there.
merge_base() {
	local branch=$1 base depth
	local ref=refs/remotes/origin/$branch
	local fetch=(git -C "$folder" fetch --quiet --no-tags origin)
	local shallow=(git -C "$folder" rev-parse --is-shallow-repository)
	[[ -n $(commit HEAD) ]] || fail "there is no commit in $folder: use actions/checkout before this step"
	for depth in 1 64 512 4096 all; do
		local deepen=() want=("+refs/heads/$branch:$ref")
		if [[ $("${shallow[@]}") == true ]]; then
			deepen=(--deepen="$depth")
			[[ $depth != all ]] || deepen=(--unshallow)
			want+=("$(commit HEAD)")
		fi
		if ! "${fetch[@]}" "${deepen[@]}" "${want[@]}" >&2 && [[ -z $(commit "$ref") ]]; then
			fail "the branch $branch cannot be fetched. Use actions/checkout with fetch-depth: 0, or set the input old"
		fi
		if base=$(git -C "$folder" merge-base "$ref" HEAD); then
			printf '%s\n' "$base"
			return
		fi
		[[ $("${shallow[@]}") == true ]] || break
	done
	fail "HEAD and $branch have no commit in common in this clone. Use actions/checkout with fetch-depth: 0"
}

# resolve prints a revision that the user gave as the name of a commit, so that the report names it for everyone.
resolve() {
	commit "$2" && return
	local text="the input $1 names no commit of this clone: $2"
	if [[ $(git -C "$folder" rev-parse --is-shallow-repository) == true ]]; then
		text+='. The clone is shallow: use actions/checkout with fetch-depth: 0'
	fi
	fail "$text"
}

# prepare says what is compared, and which folder is kept for later runs.
prepare() {
	local old new cache version
	cache=$(spectradiff cache | sed -n '1s/^folder  *//p')
	version=$(spectradiff version | sha256sum | cut -c 1-16)
	output cache "$cache"
	output key "spectradiff-${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}-$version"
	[[ -z ${ACTION_REPORT:-} ]] || return 0
	if [[ -n ${ACTION_OLD:-} ]]; then
		old=$(resolve old "$ACTION_OLD")
	elif [[ -n ${GITHUB_BASE_REF:-} ]]; then
		old=$(merge_base "$GITHUB_BASE_REF")
	else
		fail 'this run is not for a pull request: set the input old, such as to HEAD^'
	fi
	new=$(resolve new "${ACTION_NEW:-HEAD}")
	output old "$old"
	output new "$new"
}

# compare writes the reports and hands on the status. It prints the report, too.
compare() {
	local status=0 flags=() out=(--out "markdown=$work/report.md" --out "json=$work/report.json")
	mkdir -p "$work"
	rm -f "$work/report.md" "$work/report.json"
	if [[ -n ${ACTION_SARIF:-} ]]; then
		rm -f -- "$ACTION_SARIF"
		out+=(--out "sarif=$ACTION_SARIF")
	fi
	[[ -z ${ACTION_FAIL_ON:-} ]] || out+=(--fail-on "$ACTION_FAIL_ON")
	if [[ -n ${ACTION_REPORT:-} ]]; then
		spectradiff show "${out[@]}" -- "$ACTION_REPORT" || status=$?
	else
		read -r -d '' -a flags <<<"${ACTION_FLAGS:-}" || true # split at white space, nothing expanded
		spectradiff compare -C "$folder" --no-progress "${out[@]}" "${flags[@]}" "$ACTION_OLD" "$ACTION_NEW" || status=$?
	fi
	output status "$status"
	[[ ! -s $work/report.md ]] || output markdown "$work/report.md"
	[[ ! -s $work/report.json ]] || output report "$work/report.json"
	[[ -z ${ACTION_SARIF:-} || ! -s $ACTION_SARIF ]] || output sarif "$ACTION_SARIF"
	if [[ -s $work/report.md && -n ${GITHUB_STEP_SUMMARY:-} ]]; then
		cat "$work/report.md" >>"$GITHUB_STEP_SUMMARY"
	fi
}

# body writes the comment: the report, or that there is none, and where the run is.
body() {
	if [[ -s $work/report.md ]]; then
		cat "$work/report.md"
	else
		printf '%s\n**spectradiff: no report, the comparison ended in trouble**\n' "$mark"
	fi
	printf '\n[The run](%s/%s/actions/runs/%s)\n' "${GITHUB_SERVER_URL:-https://github.com}" "$GITHUB_REPOSITORY" \
		"${GITHUB_RUN_ID:-}"
}

# comment edits the comment of an earlier run, or writes the first one.
comment() {
	local number=${ACTION_PULL_REQUEST:-} id issues=repos/$GITHUB_REPOSITORY/issues
	if [[ -z $number && ${GITHUB_REF:-} =~ ^refs/pull/([0-9]+)/ ]]; then
		number=${BASH_REMATCH[1]}
	fi
	if [[ ! $number =~ ^[0-9]+$ ]]; then
		notice 'no comment is written: this run is not for a pull request'
		return
	fi
	if [[ ${GITHUB_EVENT_NAME:-} == pull_request && -n ${ACTION_HEAD_REPOSITORY:-} &&
		$ACTION_HEAD_REPOSITORY != "$GITHUB_REPOSITORY" ]]; then
		notice "no comment is written: the pull request comes from a fork, so the token of this run only reads. \
The report is in the summary of the run. docs/ci.md of spectradiff says how to have a comment all the same"
		return
	fi
	command -v gh >/dev/null || {
		warning 'no comment is written: there is no gh on the PATH'
		return
	}
	mkdir -p "$work"
	body >"$work/comment.md"
	# Only a comment of a program is edited: anyone can write one that begins with the mark.
	if ! id=$(gh api --paginate "$issues/$number/comments?per_page=100" \
		--jq ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id"); then
		warning "no comment is written: those that are there cannot be read. $permission"
		return
	fi
	id=${id%%$'\n'*}
	local to=(--method POST "$issues/$number/comments")
	[[ -z $id ]] || to=(--method PATCH "$issues/comments/$id")
	gh api --silent "${to[@]}" -F "body=@$work/comment.md" ||
		warning "no comment is written. $permission"
}

# finish ends with the status of the comparison.
finish() {
	case ${ACTION_STATUS:-} in
	0) ;;
	1)
		printf '::error title=spectradiff::%s\n' 'the versions deviate; the report says in what'
		exit 1
		;;
	*) fail 'the comparison ended in trouble; the log above says why' ;;
	esac
}

case ${1:-} in
install | prepare | compare | comment | finish) "$1" ;;
*) fail "unknown step: want install, prepare, compare, comment or finish" ;;
esac
