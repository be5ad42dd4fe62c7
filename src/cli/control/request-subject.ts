import type { PermissionRequest } from '../../api/types.js';
import { oneLine, unmistakable } from '../../api/text.js';
import { inputSubject } from '../summaries/tool-subject.js';

const MOST_CHARACTERS = 100;

/** The subject of a request on one line: `Bash: npm test`, or the question. */
export function requestSubject({ kind, toolName, input, message }: PermissionRequest): string {
  const isAsked = kind === 'question' || kind === 'elicitation';
  const subject = isAsked ? message : `${toolName}: ${inputSubject(input)}`;
  return oneLine(unmistakable(subject), MOST_CHARACTERS);
}
