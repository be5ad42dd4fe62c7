import { describe, expect, it } from 'vitest';
import {
  getErrorMessage,
  getOutput,
  hasProperty,
  isAgentResult,
  isBashResult,
  isFileResult,
  isGrepResult,
  isWebResult,
} from '../../../src/tools/calls/tool-results.js';

const success = { success: true, output: 'ok' };
const image = { ...success, picture: 'a.png' };

describe('facts of a result', () => {
  it.each([
    ['isBashResult', isBashResult, ['exitCode', 'stdout', 'stderr']],
    ['isFileResult', isFileResult, ['content', 'filePath', 'bytesWritten']],
    ['isGrepResult', isGrepResult, ['matches', 'totalMatches']],
    ['isAgentResult', isAgentResult, ['agentId', 'task_id', 'agentType']],
    ['isWebResult', isWebResult, ['url', 'query', 'results']],
  ] as const)('%s knows by one of its facts', (_, is, facts) => {
    expect(facts.map((fact) => is({ ...success, [fact]: 1 }))).toEqual(facts.map(() => true));
    expect(is(image)).toBe(false);
  });

  it('are found by name', () => {
    expect([hasProperty(success, 'output'), hasProperty(success, 'error')]).toEqual([true, false]);
  });

  it('are the output of a success and the message of an error', () => {
    const error = { success: false, error: 'no' };
    expect([success, error].map(getOutput)).toEqual(['ok', undefined]);
    expect([success, error].map(getErrorMessage)).toEqual([undefined, 'no']);
  });
});
