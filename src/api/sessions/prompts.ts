/** Prompts and messages of a person to a session, for front ends. */
export { sendPrompt } from '../../actors/contract/send-prompt.js';
export { UserMessageInput } from '../../actors/contract/user-message.js';
export { describeCommand } from '../../core/commands/describe-command.js';
export { isListed } from '../../core/commands/find-skill.js';
export { withProgramPrompts } from '../../actors/contract/program-commands.js';
export { LOCAL_COMMANDS } from '../../actors/contract/local-commands.js';
export {
  findOwn,
  isStronger,
  isTypedCommand,
  lineOf,
  readCommand,
} from '../../actors/contract/read-command.js';
export { AskUserQuestionInput } from '../../tools/dialogue/ask-user-question.js';
export { readElicitation } from '../../tools/mcp/elicitation.js';
export { fieldsOfForm, fillForm, type FormField } from '../../tools/mcp/elicitation-form.js';
