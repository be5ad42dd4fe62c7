import { describe, expect, it } from 'vitest';
import {
  createToolError,
  createToolSuccess,
  formatToolResult,
  isToolError,
  isToolSuccess,
  mapToolResult,
  toToolOutcome,
} from '../../../src/tools/calls/tool-outcome.js';

describe('a tool outcome', () => {
  it('is a success or an error, and the guards tell which', () => {
    const success = createToolSuccess('42', { exitCode: 0 });
    const error = createToolError('no such file');
    expect(success).toEqual({ success: true, output: '42', exitCode: 0 });
    expect(error).toEqual({ success: false, error: 'no such file' });
    expect([isToolSuccess(success), isToolError(success)]).toEqual([true, false]);
    expect([isToolSuccess(error), isToolError(error)]).toEqual([false, true]);
  });

  it('is made of a result block', () => {
    const head = { type: 'tool_result', tool_use_id: 'toolu_1' } as const;
    expect(toToolOutcome({ ...head, content: 'done' })).toEqual({ success: true, output: 'done' });
    expect(
      toToolOutcome({
        ...head,
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        is_error: true,
      }),
    ).toEqual({ success: false, error: 'a\nb' });
  });

  it('has one text for people', () => {
    expect(formatToolResult(createToolSuccess(''))).toBe('Success (no output)');
    expect(formatToolResult(createToolSuccess('42'))).toBe('42');
    expect(formatToolResult(createToolError('no'))).toBe('Error: no');
  });

  it('may come from another program, without its text', () => {
    const [success, error] = [{ success: true }, { success: false }];
    expect([success, error].map(isToolSuccess)).toEqual([false, false]);
    expect([success, error].map(isToolError)).toEqual([false, false]);
    expect([success, error].map(formatToolResult)).toEqual([
      'Success (no output)',
      'Error: Unknown error',
    ]);
    const length = ({ length: chars }: string) => chars;
    expect(() => mapToolResult(success, length, length)).toThrow('Invalid tool result');
    expect(() => mapToolResult(error, length, length)).toThrow('Invalid tool result');
    expect(mapToolResult({ success: true, output: '' }, length, length)).toBe(0);
  });

  it('is mapped by one of two functions', () => {
    const map = (outcome: Parameters<typeof mapToolResult>[0]) =>
      mapToolResult(
        outcome,
        (output) => output.length,
        () => -1,
      );
    expect([map(createToolSuccess('abc')), map(createToolError('x'))]).toEqual([3, -1]);
  });
});
