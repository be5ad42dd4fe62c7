import type { Skill } from '../../src/core/commands/command.js';

/** The fields of a skill whose text is in a file. */
export const GREETING: Omit<Skill, 'file'> = {
  type: 'prompt',
  name: 'greet',
  description: 'Greets.',
  hasUserSpecifiedDescription: true,
  disableModelInvocation: false,
  userInvocable: true,
  loadedFrom: 'skills',
  source: 'userSettings',
  contentLength: 17,
  argNames: [],
  allowedTools: [],
  disallowedTools: [],
  context: 'inline',
  shell: 'bash',
  paths: [],
};
