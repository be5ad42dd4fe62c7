import { describe, expect, it } from 'vitest';
import { readCommandOutput } from '../../../src/extensions/hooks/hook-output.js';

describe('the end of a hook command', () => {
  it.each([
    [126, 'it exited with 126: ./a.sh: no. Make the file executable: chmod +x FILE'],
    [127, 'it exited with 127: ./a.sh: no. The command does not exist: name an existing file'],
    [3, 'it exited with 3: ./a.sh: no'],
  ])('with exit code %i says what to do', (exitCode, problem) => {
    expect(
      readCommandOutput({ exitCode, stdout: '', stderr: './a.sh: no\n' }, 'PreToolUse'),
    ).toEqual({
      problem,
    });
  });

  it.each([
    [
      { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'alow' } },
      'its output is invalid: "hookSpecificOutput.permissionDecision" must be one of "allow", "deny", "ask", "defer", not the string "alow". Did you mean "allow"?',
    ],
    [
      { hookSpecificOutput: { hookEventName: 'PreTool' } },
      expect.stringMatching(
        /^its output is invalid: "hookSpecificOutput.hookEventName" must be one of "PreToolUse", .*, not the string "PreTool"/,
      ),
    ],
    [
      { hookSpecificOutput: { hookEventName: 'PostToolUse' } },
      'its output is for PostToolUse, and the event is PreToolUse',
    ],
    [
      { continue: 'no' },
      'its output is invalid: "continue" must be true or false, not the string "no"',
    ],
  ])('with the output %j says what is wrong with it', (output, problem) => {
    const stdout = JSON.stringify(output);
    expect(readCommandOutput({ exitCode: 0, stdout, stderr: '' }, 'PreToolUse')).toEqual({
      problem,
    });
  });

  it.each([
    [2, { decision: 'block', reason: 'On stderr.' }],
    [1, { systemMessage: 'Hm.' }],
    [0, { systemMessage: 'Hm.' }],
  ])('with exit code %i and JSON has both: %j', (exitCode, output) => {
    const stdout = '{"systemMessage": "Hm."}';
    expect(readCommandOutput({ exitCode, stdout, stderr: 'On stderr.' }, 'PreToolUse')).toEqual({
      systemMessage: 'Hm.',
      ...output,
    });
  });

  it('with text that only begins like JSON is text for the model after events that have it, as published', () => {
    const read = (exitCode: number, event: 'SessionStart' | 'PreToolUse') =>
      readCommandOutput({ exitCode, stdout: '{a} is set\n', stderr: '' }, event);
    const why = expect.stringContaining('its output begins like JSON but is invalid: ');
    expect([read(0, 'SessionStart'), read(1, 'SessionStart'), read(0, 'PreToolUse')]).toEqual([
      {
        hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: '{a} is set' },
        systemMessage: why,
      },
      { problem: why },
      { problem: why },
    ]);
  });

  it.each([
    ['Checking.\n{"decision": "block"}', 'its JSON does not count: other text is in front of it'],
    ['Checking.\n{"files": 3}', undefined],
    ['Checking.\n{"decision": ', undefined],
  ])('with the text %j in front of an output is a failure', (stdout, problem) => {
    const read = readCommandOutput({ exitCode: 0, stdout, stderr: '' }, 'PreToolUse');
    expect(read).toEqual(problem === undefined ? {} : { problem });
  });

  it('with text is for the model after another model of the agent', () => {
    expect(
      readCommandOutput({ exitCode: 0, stdout: 'Be brief.\n', stderr: '' }, 'PostModelSwitch'),
    ).toEqual({
      hookSpecificOutput: { hookEventName: 'PostModelSwitch', additionalContext: 'Be brief.' },
    });
  });

  it.each([
    ['{"async": true}', {}],
    ['{"async": true}\nsaid\n{"systemMessage": "Hm."}\n{"a": 1}', { systemMessage: 'Hm.' }],
    ['{"async": true, "asyncTimeout": 9}\nsaid', {}],
  ])('with the output %j has the first JSON behind the line with "async"', (stdout, output) => {
    expect(readCommandOutput({ exitCode: 0, stdout, stderr: '' }, 'SessionStart')).toEqual(output);
  });
});
