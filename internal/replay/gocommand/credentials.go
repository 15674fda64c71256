package gocommand

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// credentials lists the files with the addresses of module servers and the user's credentials for them.
func (m *machine) credentials() []string {
	list := []string{
		"/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services",
		"/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/crypto-policies", "/etc/gitconfig", "/etc/ssh/ssh_config",
		"/etc/ssh/ssh_config.d", "/etc/ssh/ssh_known_hosts",
		m.setting("NETRC"), m.setting("SSH_AUTH_SOCK"), m.setting("SSL_CERT_FILE"),
		m.variables["GOENV"],
		m.setting("GIT_CONFIG_GLOBAL"), m.setting("GIT_CONFIG_SYSTEM"), m.setting("GIT_ASKPASS"), m.setting("GIT_SSH"),
	}
	list = append(list, filepath.SplitList(m.setting("SSL_CERT_DIR"))...)
	if home, err := os.UserHomeDir(); err == nil {
		for _, name := range []string{
			".netrc", ".gitconfig", ".git-credentials", ".config/git", ".config/gh", ".ssh",
		} {
			list = append(list, filepath.Join(home, name))
		}
	}
	if config := m.setting("XDG_CONFIG_HOME"); config != "" {
		list = append(list, filepath.Join(config, "git"), filepath.Join(config, "gh"))
	}
	for _, proxy := range strings.Split(strings.ReplaceAll(m.variables["GOPROXY"], "|", ","), ",") {
		if folder, ok := strings.CutPrefix(proxy, "file://"); ok {
			list = append(list, folder)
		}
	}
	for _, name := range []string{"git", "ssh"} {
		if program, err := exec.LookPath(name); err == nil && !m.visible(resolved(program)) {
			list = append(list, program, filepath.Dir(resolved(program)))
		}
	}
	var kept []string
	for _, path := range list {
		if allowed(path) {
			kept = append(kept, path)
		}
	}
	return kept
}

// MayFetch reports whether a command with Network can fetch missing modules.
func (r *Runner) MayFetch() bool {
	if r.box == nil {
		return false // every command has the network
	}
	m, err := r.ask()
	return err == nil && m.variables["GOPROXY"] != "off"
}
