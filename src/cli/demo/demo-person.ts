import type { AskHandler } from '../../api/types.js';
import { printable } from '../../api/text.js';
import { agentLabel, inputSubject } from '../tool-subject.js';

/** The only thing that the person of the demo says yes to: it looks at one file and runs nothing of it. */
const HARMLESS = /^node --check [\w./-]+$/;

/** Plays the person at the desk: a real answer to a real ask, given by fixed rules, and told. */
export function createDemoPerson(tell: (line: string) => void): AskHandler {
  return (request) => {
    const { agentId, toolName, input } = request;
    const subject = inputSubject(input);
    const isAllowed = toolName === 'Bash' && HARMLESS.test(subject);
    const verb = isAllowed ? 'allows' : 'refuses';
    tell(
      `the person at the desk ${verb} ${agentLabel(agentId)}: ${toolName} ${printable(subject)}`,
    );
    return Promise.resolve(
      isAllowed
        ? { behavior: 'allow' }
        : { behavior: 'deny', message: 'The demo allows no more than its own tests.' },
    );
  };
}
