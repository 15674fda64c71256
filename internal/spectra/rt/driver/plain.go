package driver

// plain runs main and then answer. A main that never ends is ended by the supervisor's time limit.
func (d *driver) plain(main, answer func()) (fresh bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		main()
	}()
	<-done
	answer()
	return false
}
