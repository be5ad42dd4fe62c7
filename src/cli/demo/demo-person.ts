import type { AskHandler } from '../../api/types.js';
import { printable } from '../../api/text.js';
import { agentLabel, inputSubject } from '../summaries/tool-subject.js';

/** The only command that the person of the demo allows: it checks one file and runs none of it. */
const HARMLESS = /^node --check [\w./-]+$/;

/** Decide on permission requests by fixed rules in place of a person, and show each decision. */
export function createDemoPerson(tell: (line: string) => void): AskHandler {
  return (request) => {
    const { agentId, toolName, input } = request;
    const subject = inputSubject(input);
    const isAllowed = toolName === 'Bash' && HARMLESS.test(subject);
    const verb = isAllowed ? 'allows' : 'refuses';
    tell(`the person ${verb} ${agentLabel(agentId)}: ${toolName} ${printable(subject)}`);
    return Promise.resolve(
      isAllowed
        ? { behavior: 'allow' }
        : { behavior: 'deny', message: 'The demo allows no more than its own tests.' },
    );
  };
}
