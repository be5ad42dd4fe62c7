import { types } from 'node:util';
import { messageOf, UsageError } from '../../core/errors.js';
import { describeValue } from '../../core/text/describe-issue.js';
import type { Tool } from '../tool.js';
import { atOnce } from './tool-answers.js';

/** The answers that the tools of an agent depend on: type, and words for it. */
const ANSWERS = { isEnabled: ['boolean', 'true or false'], prompt: ['string', 'a text'] } as const;

/**
 * Call a member of a tool on which the tools of an agent depend: no agent can begin without its answer.
 *
 * @throws UsageError that names the tool, if the member throws or returns another kind of value
 */
export function askTool<Member extends keyof typeof ANSWERS>(
  tool: Tool,
  member: Member,
  given: Parameters<Tool[Member]>[0],
): ReturnType<Tool[Member]> {
  const own = tool.prompt === tool.description ? 'description' : member;
  const broken = `The tool ${tool.name} is broken: its ${own}`;
  const [type, wanted] = ANSWERS[member];
  let answer: unknown;
  try {
    answer = atOnce((tool[member] as (given: unknown) => unknown)(given)); // a program's function may return anything
  } catch (cause) {
    throw new UsageError(`${broken} threw: ${messageOf(cause)}`, {}, { cause });
  }
  if (typeof answer === type) return answer as ReturnType<Tool[Member]>; // just checked
  const got = types.isPromise(answer) ? 'a promise' : describeValue(answer);
  throw new UsageError(
    `${broken} returned ${got} instead of ${wanted}. It must not be async: await what it needs before buildTool.`,
  );
}
