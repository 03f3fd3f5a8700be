package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket keeps blobs in a bucket of an S3-compatible service.
type bucket struct {
	client minio.Core
	name   string
}

// chunk is what one upload holds in memory; smaller contents go up in one request, larger ones in parts of this size,
// the smallest that S3 allows.
const chunk = 5 << 20

const exampleAddress = "write it as s3://KEY:SECRET@host:port/bucket, with / + @ and % in the secret written as %2F %2B %40 and %25"

var validBucket = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

func openBucket(address string) (shelf, error) {
	// The parser's own error quotes the address, and with it the secret.
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Hostname() == "" {
		return nil, errors.New("the address of the bucket cannot be read: " + exampleAddress)
	}
	secret, _ := u.User.Password()
	if u.User.Username() == "" || secret == "" {
		return nil, errors.New("the address of the bucket needs a key and a secret: " + exampleAddress)
	}
	name := strings.Trim(u.Path, "/")
	if !validBucket.MatchString(name) {
		return nil, errors.New("the address needs the name of one bucket after the host: " + exampleAddress)
	}
	options := minio.Options{
		Creds:  credentials.NewStaticV4(u.User.Username(), secret, ""),
		Secure: true,
		// Four tries with growing pauses bridge a restart of the service; jobs bridge anything longer.
		MaxRetries: 4,
	}
	for option, values := range u.Query() {
		switch value := values[0]; {
		case option == "region" && value != "":
			options.Region = value
		case option == "tls" && (value == "true" || value == "false"):
			options.Secure = value == "true"
		default:
			return nil, fmt.Errorf("the address of the bucket has an option %q that cannot be used: only region=… and tls=true or tls=false exist",
				option)
		}
	}
	client, err := minio.New(u.Host, &options)
	if err != nil {
		return nil, errors.New("the host in the address of the bucket cannot be used: " + exampleAddress)
	}
	return &bucket{client: minio.Core{Client: client}, name: name}, nil
}

func (b *bucket) put(ctx context.Context, key string, sealed io.Reader) error {
	return b.send(ctx, key, sealed, "")
}

// replace asks the service to refuse what is no longer the same, and looks itself before the last bytes: not every
// service knows the question.
func (b *bucket) replace(ctx context.Context, key string, was version, sealed io.Reader) (bool, error) {
	tag := was.(string)
	err := b.send(ctx, key, io.MultiReader(sealed, &stands{ctx, b, key, tag}), tag)
	code := minio.ToErrorResponse(err).StatusCode
	if errors.Is(err, errMoved) || code == http.StatusPreconditionFailed || code == http.StatusNotFound || code == http.StatusConflict {
		return false, nil
	}
	return err == nil, err
}

var errMoved = errors.New("the blob was replaced or deleted")

// stands is the end of a content whose blob stands as it was, and an error of any other.
type stands struct {
	ctx      context.Context
	bucket   *bucket
	key, tag string
}

func (s *stands) Read([]byte) (int, error) {
	info, err := s.bucket.client.StatObject(s.ctx, s.bucket.name, s.key, minio.StatObjectOptions{})
	switch {
	case minio.ToErrorResponse(err).StatusCode == http.StatusNotFound || err == nil && info.ETag != s.tag:
		return 0, errMoved
	case err != nil:
		return 0, err
	}
	return 0, io.EOF
}

// send stores bytes under a key; with a tag only in the place of what has it.
func (b *bucket) send(ctx context.Context, key string, sealed io.Reader, tag string) error {
	// Read ahead: what fits into one request can be sent again after a hiccup, and goes up with its hash, which the
	// service verifies.
	var first bytes.Buffer
	n, err := io.CopyN(&first, sealed, chunk)
	// Hashes travel in headers: not every S3-compatible service understands the other way, signed chunks, in parts.
	options := minio.PutObjectOptions{ContentType: "application/octet-stream", PartSize: chunk,
		DisableContentSha256: true, SendContentMd5: true}
	if tag != "" {
		options.SetMatchETag(tag)
	}
	switch {
	case err == io.EOF:
		sum := sha256.Sum256(first.Bytes())
		_, err = b.client.PutObject(ctx, b.name, key, bytes.NewReader(first.Bytes()), n, "", hex.EncodeToString(sum[:]), options)
	case err == nil:
		_, err = b.client.Client.PutObject(ctx, b.name, key, io.MultiReader(&first, sealed), -1, options)
	}
	return b.explain(err)
}

func (b *bucket) get(ctx context.Context, key string) (*taken, error) {
	content, info, _, err := b.client.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, b.explain(err)
	}
	return &taken{ReadCloser: content, size: info.Size, version: info.ETag}, nil
}

func (b *bucket) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	err := b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchKey {
		return fmt.Errorf("the blob %s cannot be deleted: %w", key, b.explain(err))
	}
	return nil
}

func (b *bucket) List(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if err := checkText(prefix); err != nil {
			yield("", err)
			return
		}
		for object := range b.client.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if object.Err != nil {
				yield("", fmt.Errorf("the blobs cannot be listed: %w", b.explain(object.Err)))
				return
			}
			if !yield(object.Key, nil) {
				return
			}
		}
		// A cancelled listing ends without an error of its own and would look complete.
		if err := ctx.Err(); err != nil {
			yield("", fmt.Errorf("the blobs cannot be listed: %w", err))
		}
	}
}

// explain adds what the operator can do about it.
func (b *bucket) explain(err error) error {
	reply := minio.ToErrorResponse(err)
	switch {
	case err == nil:
		return nil
	case reply.Code == minio.NoSuchBucket:
		return fmt.Errorf("make the bucket %s or correct its name: %w", b.name, err)
	case reply.StatusCode == http.StatusForbidden || reply.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("check the key, the secret and the rights on the bucket %s: %w", b.name, err)
	}
	return err
}
