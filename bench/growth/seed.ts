export class SeededFolders implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {}
}
