package report

// This file folds what did not deviate in a deviation tree.

import "fmt"

// fold replaces what neither deviates nor leads to a deviation: executions next to each other become
// one line that counts them. One alone stays, its name says more than a count.
func fold(lines []TreeLine) []TreeLine {
	leads := leading(lines)
	var folded []TreeLine
	for i := 0; i < len(lines); {
		end := i + 1
		if !leads[i] {
			for end < len(lines) && !leads[end] && lines[end].Depth >= lines[i].Depth {
				end++
			}
		}
		if n := end - i; n > 1 {
			folded = append(folded, TreeLine{Depth: lines[i].Depth, Text: fmt.Sprintf("… %d executions not deviated", n)})
		} else {
			folded = append(folded, lines[i])
		}
		i = end
	}
	return folded
}

// leading says of each line whether it or one below it is marked.
func leading(lines []TreeLine) []bool {
	leads := make([]bool, len(lines))
	var above []int // the lines on the way to the current one, outermost first
	for i, line := range lines {
		for len(above) > 0 && lines[above[len(above)-1]].Depth >= line.Depth {
			above = above[:len(above)-1]
		}
		above = append(above, i)
		if line.Mark == "" && !line.Root {
			continue
		}
		for _, on := range above {
			leads[on] = true
		}
	}
	return leads
}
