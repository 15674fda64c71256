package pipeline

// A Folder is where files are saved. If it is "", nothing is.
type Folder string
