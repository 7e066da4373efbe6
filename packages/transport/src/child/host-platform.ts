/** The one place that asks which system this is. Asked each time, so that a test can say that it is another one. */
export function isWindows(): boolean {
  return process.platform === 'win32';
}
