const INIT = `Read this repository and write a file CLAUDE.md in its root: instructions for agents that will work here.

Include:
1. The commands for building, checking and testing, also for a single test.
2. The architecture that one sees only after reading several files: the parts, and how they work together.
3. Conventions of this repository that differ from the usual ones.

Leave out what every developer knows, lists of files that are easy to find, and anything that you have not read. If there is a CLAUDE.md or an AGENTS.md already, improve it. Take over the important parts of README.md and of rules for other tools (.cursor/rules, .cursorrules, .github/copilot-instructions.md). Begin the file with:

# CLAUDE.md

This file guides coding agents that work with the code in this repository.`;

const WHICH = `Find the changes first. The arguments, if there are any, name them: a branch, a commit, a number of a pull request (gh pr diff NUMBER), or files. Without arguments they are the uncommitted changes (git status, git diff HEAD), and if there are none, the commits of this branch that its base does not have.`;

const HOW = `Change no file. Read the code around each change, and its callers, before you judge it: a finding must be true of this code, not of code like it. Check each finding once more before you report it, and drop it if you cannot say how it happens.`;

const REPORT = `Report the findings, the worst first: file and line, what goes wrong and with which input, and the smallest change that would help. Leave out matters of taste, and praise. If there is nothing to report, say so in one sentence.`;

const REVIEW = `Review changes of this repository as a colleague who will have to maintain them.

${WHICH}

Look for: wrong results, unhandled cases and errors, races, leaks, broken callers, missing or empty tests, and code that the repository already has elsewhere.

${HOW}

${REPORT}`;

const SECURITY_REVIEW = `Look for weaknesses that changes of this repository bring in, as somebody who wants to attack it.

${WHICH}

Follow data that strangers control, from where it enters to where it has an effect. Look for: injection into commands, queries, paths, templates and pages; missing checks of who may do something; secrets in code, logs and messages; unsafe parsing; weak cryptography and random numbers; races between a check and its use; requests to addresses that strangers choose.

${HOW} Only report what an attacker can reach in a real use, and say how.

${REPORT}`;

/** The texts of the skills of Troupe. */
export const BUNDLED_TEXTS = { INIT, REVIEW, SECURITY_REVIEW } as const;
export type BundledTexts = typeof BUNDLED_TEXTS;
