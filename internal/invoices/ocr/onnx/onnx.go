// Package onnx runs models with the library of ONNX Runtime, which it loads without cgo. Only saldo-reader imports it: the library is
// C++, and a mistake in it ends that program instead of the server.
package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The functions of OrtApi that are used, by their place in the table of onnxruntime_c_api.h. The table only grows, at its end, so the
// places hold for every later version of the library.
const (
	getErrorMessage                = 2
	createEnv                      = 3
	createSession                  = 7
	run                            = 9
	createSessionOptions           = 10
	disableMemPattern              = 17
	disableCPUMemArena             = 19
	setIntraOpNumThreads           = 24
	setInterOpNumThreads           = 25
	sessionGetInputName            = 36
	sessionGetOutputName           = 37
	createTensorWithDataAsOrtValue = 49
	getTensorMutableData           = 51
	getTensorElementType           = 60
	getDimensionsCount             = 61
	getDimensions                  = 62
	getTensorTypeAndShape          = 65
	createCPUMemoryInfo            = 69
	getAllocatorWithDefaultOptions = 78
	releaseStatus                  = 93
	releaseValue                   = 96
	releaseTensorTypeAndShapeInfo  = 99
	releaseSessionOptions          = 100
	sessionGetModelMetadata        = 111
	modelMetadataLookup            = 116
	releaseModelMetadata           = 118
	addSessionConfigEntry          = 130
	functions                      = 131
)

const (
	apiVersion   = 17 // of the table that is asked for: the first with which this was written
	floatElement = 1  // ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT
	errorsOnly   = 3  // ORT_LOGGING_LEVEL_ERROR
)

// handle is an object of the library.
type handle = unsafe.Pointer

// Library is ONNX Runtime. It is never unloaded.
type Library struct {
	Version string

	api       *[functions]uintptr
	env       handle
	memory    handle
	allocator handle
}

// Open loads the library from a file.
func Open(path string) (*Library, error) {
	loaded, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("loading ONNX Runtime: %w", err)
	}
	symbol, err := purego.Dlsym(loaded, "OrtGetApiBase")
	if err != nil {
		return nil, fmt.Errorf("loading ONNX Runtime: %w", err)
	}
	var getBase func() *struct{ getAPI, getVersion uintptr }
	purego.RegisterFunc(&getBase, symbol)
	base := getBase()
	var getAPI func(version uint32) *[functions]uintptr
	purego.RegisterFunc(&getAPI, base.getAPI)
	var getVersion func() string
	purego.RegisterFunc(&getVersion, base.getVersion)

	l := &Library{Version: getVersion(), api: getAPI(apiVersion)}
	if l.api == nil {
		return nil, fmt.Errorf("ONNX Runtime %s does not know version %d of its own interface", l.Version, apiVersion)
	}
	name := terminated("saldo")
	if err := l.call(createEnv, errorsOnly, pointer(name), uintptr(unsafe.Pointer(&l.env))); err != nil {
		return nil, err
	}
	if err := l.call(createCPUMemoryInfo, 1, 0, uintptr(unsafe.Pointer(&l.memory))); err != nil {
		return nil, err
	}
	if err := l.call(getAllocatorWithDefaultOptions, uintptr(unsafe.Pointer(&l.allocator))); err != nil {
		return nil, err
	}
	runtime.KeepAlive(name)
	return l, nil
}

// call calls a function of the table that answers with a status.
//
//go:uintptrescapes
func (l *Library) call(function int, arguments ...uintptr) error {
	var status handle
	code, _, _ := purego.SyscallN(l.api[function], arguments...)
	*(*uintptr)(unsafe.Pointer(&status)) = code
	if status == nil {
		return nil
	}
	var message *byte
	text, _, _ := purego.SyscallN(l.api[getErrorMessage], code)
	*(*uintptr)(unsafe.Pointer(&message)) = text
	err := errors.New("ONNX Runtime: " + stringAt(message))
	purego.SyscallN(l.api[releaseStatus], code)
	return err
}

// release gives an object back.
func (l *Library) release(function int, object handle) {
	if object != nil {
		purego.SyscallN(l.api[function], uintptr(object))
	}
}

// Session is a model that is ready to run, with one input and one output of floats.
type Session struct {
	library       *Library
	session       handle
	input, output []byte
}

// Load reads a model from a file. It uses so many threads, which do not wait actively.
func (l *Library) Load(path string, threads int) (*Session, error) {
	var options handle
	if err := l.call(createSessionOptions, uintptr(unsafe.Pointer(&options))); err != nil {
		return nil, err
	}
	defer l.release(releaseSessionOptions, options)
	// every picture has another size: memory that is kept for the next one would only grow
	key, value := terminated("session.intra_op.allow_spinning"), terminated("0")
	for _, err := range []error{
		l.call(disableCPUMemArena, uintptr(options)),
		l.call(disableMemPattern, uintptr(options)),
		l.call(setIntraOpNumThreads, uintptr(options), uintptr(threads)),
		l.call(setInterOpNumThreads, uintptr(options), 1),
		l.call(addSessionConfigEntry, uintptr(options), pointer(key), pointer(value)),
	} {
		if err != nil {
			return nil, err
		}
	}
	runtime.KeepAlive(key)
	runtime.KeepAlive(value)

	s := &Session{library: l}
	name := terminated(path)
	if err := l.call(createSession, uintptr(l.env), pointer(name), uintptr(options), uintptr(unsafe.Pointer(&s.session))); err != nil {
		return nil, err
	}
	runtime.KeepAlive(name)
	var in, out *byte
	if err := l.call(sessionGetInputName, uintptr(s.session), 0, uintptr(l.allocator), uintptr(unsafe.Pointer(&in))); err != nil {
		return nil, err
	}
	if err := l.call(sessionGetOutputName, uintptr(s.session), 0, uintptr(l.allocator), uintptr(unsafe.Pointer(&out))); err != nil {
		return nil, err
	}
	s.input, s.output = terminated(stringAt(in)), terminated(stringAt(out))
	return s, nil
}

// Metadata is a text that the model carries, or nothing.
func (s *Session) Metadata(name string) (string, error) {
	l := s.library
	var metadata handle
	if err := l.call(sessionGetModelMetadata, uintptr(s.session), uintptr(unsafe.Pointer(&metadata))); err != nil {
		return "", err
	}
	defer l.release(releaseModelMetadata, metadata)
	key := terminated(name)
	var value *byte
	err := l.call(modelMetadataLookup, uintptr(metadata), uintptr(l.allocator), pointer(key), uintptr(unsafe.Pointer(&value)))
	runtime.KeepAlive(key)
	if err != nil || value == nil {
		return "", err
	}
	return stringAt(value), nil
}

// Run gives the input to the model and returns a copy of its output.
func (s *Session) Run(input []float32, shape []int) (output []float32, outputShape []int, err error) {
	l := s.library
	dimensions := make([]int64, len(shape))
	size := 1
	for i, n := range shape {
		dimensions[i] = int64(n)
		size *= n
	}
	if size != len(input) || size == 0 {
		return nil, nil, fmt.Errorf("%d values for the shape %v", len(input), shape)
	}
	// the library keeps the addresses between two calls
	var pinned runtime.Pinner
	defer pinned.Unpin()
	pinned.Pin(&input[0])
	pinned.Pin(&dimensions[0])

	var in, out handle
	if err := l.call(createTensorWithDataAsOrtValue, uintptr(l.memory), uintptr(unsafe.Pointer(&input[0])), uintptr(len(input)*4),
		uintptr(unsafe.Pointer(&dimensions[0])), uintptr(len(dimensions)), floatElement, uintptr(unsafe.Pointer(&in))); err != nil {
		return nil, nil, err
	}
	defer l.release(releaseValue, in)
	pinned.Pin(&s.input[0])
	pinned.Pin(&s.output[0])
	inputs, outputs := []*byte{&s.input[0]}, []*byte{&s.output[0]}
	if err := l.call(run, uintptr(s.session), 0, uintptr(unsafe.Pointer(&inputs[0])), uintptr(unsafe.Pointer(&in)), 1,
		uintptr(unsafe.Pointer(&outputs[0])), 1, uintptr(unsafe.Pointer(&out))); err != nil {
		return nil, nil, err
	}
	defer func() { l.release(releaseValue, out) }()
	return l.content(out)
}

// content copies a tensor of floats.
func (l *Library) content(value handle) ([]float32, []int, error) {
	var info handle
	if err := l.call(getTensorTypeAndShape, uintptr(value), uintptr(unsafe.Pointer(&info))); err != nil {
		return nil, nil, err
	}
	defer l.release(releaseTensorTypeAndShapeInfo, info)
	var kind uint32
	if err := l.call(getTensorElementType, uintptr(info), uintptr(unsafe.Pointer(&kind))); err != nil {
		return nil, nil, err
	}
	if kind != floatElement {
		return nil, nil, fmt.Errorf("the model answers with elements of type %d, not floats", kind)
	}
	var count uintptr
	if err := l.call(getDimensionsCount, uintptr(info), uintptr(unsafe.Pointer(&count))); err != nil {
		return nil, nil, err
	}
	dimensions := make([]int64, count+1) // one more, so that it has an address
	if err := l.call(getDimensions, uintptr(info), uintptr(unsafe.Pointer(&dimensions[0])), count); err != nil {
		return nil, nil, err
	}
	shape, size := make([]int, count), 1
	for i := range shape {
		shape[i] = int(dimensions[i])
		size *= shape[i]
	}
	var data *float32
	if err := l.call(getTensorMutableData, uintptr(value), uintptr(unsafe.Pointer(&data))); err != nil {
		return nil, nil, err
	}
	if size == 0 || data == nil {
		return nil, shape, nil
	}
	return append([]float32(nil), unsafe.Slice(data, size)...), shape, nil
}

// terminated is a text as C has it. It is never inlined, so that its result is on the heap and keeps its address.
//
//go:noinline
func terminated(text string) []byte { return append([]byte(strings.ReplaceAll(text, "\x00", "")), 0) }

func pointer(text []byte) uintptr { return uintptr(unsafe.Pointer(&text[0])) }

// stringAt copies a text of C.
func stringAt(start *byte) string {
	if start == nil {
		return ""
	}
	length := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(start), length)) != 0 {
		length++
	}
	return string(unsafe.Slice(start, length))
}
