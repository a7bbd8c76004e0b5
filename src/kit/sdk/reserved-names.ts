/** The types of the SDKs' own, and those of the languages that they use: none of the contract's has such a name. */
export const reservedTypes = (
  'ApiError ConnectionError TimeoutError Call Reply Result ClientOptions RequestOptions PagedList TypedDocument ' +
  'AnyDocument GraphqlFault GraphqlRequestError GraphqlCode Graphql GraphqlEndpoint GraphqlCall VariablesOf ' +
  'MediaBody Binary Credentials Operation Transport Secret UserAndPassword GraphqlTypes Refusal ' +
  'Promise Record Readonly Partial Headers Blob File FormData ArrayBuffer Uint8Array Array String Number Boolean ' +
  'Object Symbol Function Date Map Set AbortSignal ' +
  'Any Annotated Literal List Dict Union Optional Unpack ClassVar Callable Mapping Self TypedDict Never None True ' +
  'False Upload Settings Identity Token AsyncToken AsyncGraphql AsyncTransport AsyncPagedList AsyncSecret ' +
  'ApiConnectionError ApiTimeoutError ContractMismatchWarning Discriminator VERSION CONTRACT_DIGEST'
).split(' ');
