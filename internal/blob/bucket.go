package blob

import (
	"bytes"
	"context"
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

func openBucket(address string) (Store, error) {
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
			return nil, fmt.Errorf("the address of the bucket has an option %q that cannot be used: only region=… and tls=true or tls=false exist", option)
		}
	}
	client, err := minio.New(u.Host, &options)
	if err != nil {
		return nil, errors.New("the host in the address of the bucket cannot be used: " + exampleAddress)
	}
	return &bucket{client: minio.Core{Client: client}, name: name}, nil
}

func (b *bucket) Put(ctx context.Context, key string, content io.Reader, size int64) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	in := newIntake(ctx, content, size)
	// Read ahead: what fits into one request can be sent again after a hiccup, and goes up with its hash, which the
	// service verifies.
	var first bytes.Buffer
	n, err := io.CopyN(&first, in, chunk)
	// Hashes travel in headers: not every S3-compatible service understands the other way, signed chunks, in parts.
	options := minio.PutObjectOptions{ContentType: "application/octet-stream", PartSize: chunk, DisableContentSha256: true, SendContentMd5: true}
	switch {
	case err == io.EOF:
		_, err = b.client.PutObject(ctx, b.name, key, bytes.NewReader(first.Bytes()), n, "", in.sum(), options)
	case err == nil:
		_, err = b.client.Client.PutObject(ctx, b.name, key, io.MultiReader(&first, in), -1, options)
	}
	if err != nil {
		return "", b.explain(fmt.Sprintf("the blob %s cannot be stored", key), err)
	}
	return in.sum(), nil
}

func (b *bucket) Get(ctx context.Context, key string) (io.ReadCloser, int64, error) {
	if err := checkKey(key); err != nil {
		return nil, 0, err
	}
	content, info, _, err := b.client.GetObject(ctx, b.name, key, minio.GetObjectOptions{})
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, 0, fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	if err != nil {
		return nil, 0, b.explain(fmt.Sprintf("the blob %s cannot be opened", key), err)
	}
	return content, info.Size, nil
}

func (b *bucket) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	err := b.client.RemoveObject(ctx, b.name, key, minio.RemoveObjectOptions{})
	if err != nil && minio.ToErrorResponse(err).Code != minio.NoSuchKey {
		return b.explain(fmt.Sprintf("the blob %s cannot be deleted", key), err)
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
				yield("", b.explain("the blobs cannot be listed", object.Err))
				return
			}
			if !yield(object.Key, nil) {
				return
			}
		}
		// A cancelled listing ends without an error of its own and would look complete.
		if err := ctx.Err(); err != nil {
			yield("", b.explain("the blobs cannot be listed", err))
		}
	}
}

// explain adds what the operator can do about it.
func (b *bucket) explain(what string, err error) error {
	reply := minio.ToErrorResponse(err)
	switch {
	case reply.Code == minio.NoSuchBucket:
		return fmt.Errorf("%s: make the bucket %s or correct its name: %w", what, b.name, err)
	case reply.StatusCode == http.StatusForbidden || reply.StatusCode == http.StatusUnauthorized:
		return fmt.Errorf("%s: check the key, the secret and the rights on the bucket %s: %w", what, b.name, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}
