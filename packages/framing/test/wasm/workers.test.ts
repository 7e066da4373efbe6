import { expect, it } from 'vitest';
import { expectedFrames, printed, programPath, type Report, streamFile } from '../runtimes/programs.ts';
import { fewStreams } from '../runtimes/streams.ts';

const workerCount = 8;

it('every worker thread has an instance and memory of its own: many at once read the same frames', async () => {
  const file = streamFile(fewStreams());
  try {
    const expected = await expectedFrames(file);
    const args = [programPath('read-in-workers.mjs'), file.path, String(workerCount)];
    const reports = await printed<Report[]>(process.execPath, args);
    expect(reports).toHaveLength(1 + workerCount);
    for (const report of reports) {
      expect(report).toMatchObject({ active: { name: 'wasm' }, fallbackFrames: 0 });
      expect(report.frames).toEqual(expected);
    }
  } finally {
    file.remove();
  }
});
