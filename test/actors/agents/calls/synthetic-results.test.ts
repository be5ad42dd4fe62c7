import { describe, expect, it } from 'vitest';
import { denialText } from '../../../../src/actors/agents/calls/synthetic-results.js';

const USE = { toolName: 'Change', kind: 'permission' } as const;
const PROMPT_TOOL = 'mcp__desk__approve';

describe('the text that the model sees of a refusal', () => {
  it.each([
    [
      'main agent, plain',
      undefined,
      false,
      'Permission to use Change was denied by the user. Stop and wait for what the user says next.',
    ],
    [
      'main agent, with feedback',
      'Use less.',
      false,
      'Permission to use Change was denied by the user. The user said: Use less.\nFollow that instruction.',
    ],
    [
      'sub-agent, plain',
      undefined,
      true,
      'Permission to use Change was denied by the user. Continue without it, or report what you could not do.',
    ],
    [
      'sub-agent, with feedback',
      'Use less.',
      true,
      'Permission to use Change was denied by the user. The user said: Use less.\nFollow that instruction, and report what you could not do.',
    ],
  ] as const)('%s', (_name, feedback, isSubAgent, text) => {
    expect(denialText(USE, feedback, { by: 'person' }, isSubAgent)).toBe(text);
    expect(denialText(USE, feedback, { by: PROMPT_TOOL }, isSubAgent)).toBe(
      text
        .replaceAll('The user said', `The permission prompt tool ${PROMPT_TOOL} said`)
        .replace('by the user', `by the permission prompt tool ${PROMPT_TOOL}`),
    );
  });

  it('of a question or a plan says so', () => {
    const plan = { toolName: 'ExitPlanMode', kind: 'plan' } as const;
    expect(denialText(plan, 'Smaller.', { by: 'person' }, false)).toBe(
      'The user did not approve the plan, so plan mode continues. The user said: Smaller.\nChange the plan and present it again.',
    );
    const question = { toolName: 'AskUserQuestion', kind: 'question' } as const;
    expect(denialText(question, undefined, { by: 'person' }, false)).toBe(
      'The user did not answer. Stop and wait for what the user says next.',
    );
  });

  it.each(['policy', 'desk'])('by %s is its own words, and never a person’s', (by) => {
    expect(denialText(USE, 'Nobody is attached.', { by }, false)).toBe('Nobody is attached.');
    expect(denialText(USE, undefined, { by }, true)).toBe('Permission to use Change was denied.');
  });
});
