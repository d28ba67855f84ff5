<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

final class ShopTest extends TestCase
{
    private Shop $shop;

    protected function setUp(): void
    {
        $this->callSandbox('POST', '/_sandbox/reset');
        $this->shop = new Shop(getenv('PLAYMONEY_URL'), getenv('PLAYMONEY_KEY'), 'whsec_shop');
    }

    public function testAnApprovedCardPaysTheOrder(): void
    {
        self::assertSame('paid', $this->shop->pay('order-1', 20.5, 'tok_approve'));
        self::assertSame(['SUCCESS'], $this->statuses('order-1'));
    }

    public function testADeclinedCardDoesNot(): void
    {
        self::assertSame('declined', $this->shop->pay('order-1', 20.5, 'tok_insufficient_funds'));
        self::assertSame(['FAILED'], $this->statuses('order-1'));
    }

    public function testAnOrderWhoseAnswerWasLostIsChargedOnce(): void
    {
        $lost = ['Fault' => 'reset', 'Phase' => 'after'];
        $this->callSandbox('POST', '/_sandbox/outcomes', ['Operation' => 'charge.create', 'Outcomes' => [$lost]]);
        self::assertSame('unknown', $this->shop->pay('order-1', 20.5, 'tok_approve'));
        self::assertSame('paid', $this->shop->pay('order-1', 20.5, 'tok_approve'));
        self::assertSame(['SUCCESS'], $this->statuses('order-1'));
    }

    public function testARefundReturnsTheMoney(): void
    {
        $this->shop->pay('order-1', 20.5, 'tok_approve');
        self::assertSame('PARTIAL_REFUND', $this->shop->refund('order-1', 5));
        self::assertSame('REFUND', $this->shop->refund('order-1', 15.5));
    }

    public function testASignedWebhookIsReadAndAForgedOneIsNot(): void
    {
        $receiver = stream_socket_server('tcp://127.0.0.1:0');
        $this->shop->pay('order-1', 20.5, 'tok_approve', 'http://' . stream_socket_get_name($receiver, false));
        [$body, $signature] = $this->receive($receiver);
        self::assertSame('SUCCESS', $this->shop->readWebhook($body, $signature));
        self::assertNull($this->shop->readWebhook($body . ' ', $signature));
    }

    /** Takes one webhook from a port: its body and its signature. */
    private function receive($receiver): array
    {
        $connection = stream_socket_accept($receiver, 5);
        $headers = [];
        while (($line = trim(fgets($connection))) !== '') {
            [$name, $value] = explode(': ', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = $value;
        }
        $body = stream_get_contents($connection, (int) $headers['content-length']);
        fwrite($connection, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
        fclose($connection);
        return [$body, $headers['x-payfurl-signature']];
    }

    private function statuses(string $reference): array
    {
        return array_column($this->callSandbox('GET', "/charge?Reference=$reference")['charges'], 'status');
    }

    private function callSandbox(string $method, string $path, array $body = []): array
    {
        $options = [
            'method' => $method,
            'header' => ['content-type: application/json', 'x-secretkey: ' . getenv('PLAYMONEY_KEY')],
            'content' => $method === 'GET' ? '' : json_encode((object) $body),
        ];
        $context = stream_context_create(['http' => $options]);
        return json_decode(file_get_contents(getenv('PLAYMONEY_URL') . $path, false, $context), true) ?? [];
    }
}
