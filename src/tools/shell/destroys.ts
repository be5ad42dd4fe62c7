/** Programs, and commands of git, whose effect cannot be undone. */
const PROGRAMS = String.raw`rm|rmdir|shred|dd|mkfs(?:\.\w+)?|truncate|wipefs|unlink|fdisk|kill|killall|pkill|shutdown|reboot`;
const OF_GIT = String.raw`reset\s+(?:\S+\s+)*--hard|clean\b|push\s+(?:\S+\s+)*(?:-f\b|--force|--delete|-d\b|\+)|branch\s+(?:\S+\s+)*-D\b|checkout\s+(?:\S+\s+)*(?:--\s|\.)|restore\b|stash\s+(?:drop|clear)|filter-branch|worktree\s+remove`;

/** The beginning of a command: the start, or the place behind an operator, a wrapper or a keyword. */
const START = String.raw`(?:^|[;&|(){}\n\x60]|\b(?:sudo|env|xargs|exec|then|do|else|time|nohup)\s)\s*(?:\S*/)?`;

const DESTROYS = new RegExp(
  `${START}(?:(?:${PROGRAMS})(?=\\s|$)|git\\s+(?:-[Cc]\\s+\\S+\\s+|-\\S+\\s+)*(?:${OF_GIT}))`,
);

/** Whether a command line seems to remove what cannot be restored. A hint for approvers: no decision depends on it. */
export function seemsDestructive(command: string): boolean {
  return DESTROYS.test(command);
}
