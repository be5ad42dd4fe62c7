/** The prompt of `/init`. */
export const INIT_PROMPT = `Read this repository and write a file CLAUDE.md in its root: instructions for agents that will work here.

Include:
1. The commands for building, checking and testing, also for a single test.
2. The architecture that one sees only after reading several files: the parts, and how they work together.
3. Conventions of this repository that differ from the usual ones.

Leave out what every developer knows, lists of files that are easy to find, and anything that you have not read. If there is a CLAUDE.md or an AGENTS.md already, improve it. Take over the important parts of README.md and of rules for other tools (.cursor/rules, .cursorrules, .github/copilot-instructions.md). Begin the file with:

# CLAUDE.md

This file guides coding agents that work with the code in this repository.`;
