import { describe, expect, it } from 'vitest';
import { readCommandOutput } from '../../../src/extensions/hooks/hook-output.js';

describe('the end of a hook command', () => {
  it.each([
    [126, 'it exited with 126: ./a.sh: no. Make the file executable: chmod +x FILE'],
    [127, 'it exited with 127: ./a.sh: no. There is no such command: name a file that is there'],
    [3, 'it exited with 3: ./a.sh: no'],
  ])('with exit code %i says what to do', (exitCode, problem) => {
    expect(readCommandOutput({ exitCode, stdout: '', stderr: './a.sh: no\n' })).toEqual({
      problem,
    });
  });
});
