import type { Skill } from './command.js';

/** Values of the fields that a skill without frontmatter leaves out. */
export const WITHOUT_FRONTMATTER = {
  contentLength: 0,
  argNames: [],
  allowedTools: [],
  disallowedTools: [],
  context: 'inline',
  shell: 'bash',
  paths: [],
} as const satisfies Partial<Skill>;
