//go:build !zspectra_runtime

package driver

func (d *driver) bubble(main, answer func()) (fresh bool) { return d.plain(main, answer) }

func settle(bool) {}
